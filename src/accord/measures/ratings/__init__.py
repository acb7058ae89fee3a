"""Agreement on ratings: the chance-corrected coefficients of the literature."""
