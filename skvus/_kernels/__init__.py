"""Numbers in, numbers out: compiled kernels without checks and without scikit-learn."""
