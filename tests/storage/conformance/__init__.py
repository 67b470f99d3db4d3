"""What every store has to do, run over every implementation and every stack of decorators."""
