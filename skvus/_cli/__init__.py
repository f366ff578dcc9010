"""The command line: tables of predictions in, scores, tests, fronts and pages out."""
