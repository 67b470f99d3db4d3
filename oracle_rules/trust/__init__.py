"""What an oracle is made of, as one digest, and who has signed it. Decides; reads nothing and asks no clock."""
