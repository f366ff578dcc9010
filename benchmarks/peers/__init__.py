"""The packages on PyPI that do a similar job, on the same inputs in the same run."""
