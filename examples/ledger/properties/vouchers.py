"""Vouchers count up from one in every process, and the last digit checks the others."""

from src.numbers import next_voucher


def hold(case):
    return [next_voucher(case["prefix"]) for _ in case["expect"]] == case["expect"]
