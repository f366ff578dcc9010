"""Ratios against slow twins and peers, both sides in the same run: ``python -m benchmarks``."""
