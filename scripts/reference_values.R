# Values of R for tests/peers/test_r.py, with the versions that gave them:
#
#     Rscript scripts/reference_values.R > tests/peers/r_values.json
#
# Needs r-cran-psych, r-cran-lme4 and r-cran-jsonlite. irr is not in Debian; its kappam.fleiss, kendall
# and icc are the formulas of psych, of friedman.test and of the paragraphs below.
suppressMessages({
  library(psych)
  library(lme4)
  library(jsonlite)
})

# 25 items, 4 annotators, from a formula, so that no seed of R's is needed
item <- 1:25
full <- sapply(1:4, function(a) round(4 + 2 * sin(item) + 1.1 * cos(3 * item + a * a) + 0.4 * a))
holes <- full
for (i in item) for (a in 1:4) if ((7 * i + 3 * a) %% 11 == 0) holes[i, a] <- NA

icc <- function(x) {
  found <- ICC(x, missing = FALSE, lmer = FALSE)$results
  names <- c("icc-1", "icc-a", "icc-c", "icc-1k", "icc-ak", "icc-ck")
  setNames(lapply(1:6, function(r) c(found$ICC[r], found$`lower bound`[r], found$`upper bound`[r])), names)
}

components <- function(x) {
  long <- data.frame(
    value = as.vector(x),
    item = factor(rep(seq_len(nrow(x)), ncol(x))),
    who = factor(rep(seq_len(ncol(x)), each = nrow(x)))
  )
  long <- long[!is.na(long$value), ]
  tight <- lmerControl(optCtrl = list(xtol_abs = 1e-10, ftol_abs = 1e-12))
  two <- as.data.frame(VarCorr(lmer(value ~ (1 | item) + (1 | who), long, control = tight)))
  one <- as.data.frame(VarCorr(lmer(value ~ (1 | item), long, control = tight)))
  part <- function(table, name) table$vcov[table$grp == name]
  list(
    two_way = c(part(two, "item"), part(two, "who"), part(two, "Residual")),
    one_way = c(part(one, "item"), part(one, "Residual"))
  )
}

friedman <- function(x) {
  found <- friedman.test(t(x))
  n <- nrow(x)
  m <- ncol(x)
  list(
    W = unname(found$statistic) / (m * (n - 1)),
    chi_squared = unname(found$statistic),
    df = unname(found$parameter),
    p = found$p.value
  )
}

kappas <- function(x) {
  found <- suppressWarnings(cohen.kappa(x[, 1:2]))
  list(kappa = found$kappa, quadratic = found$weighted.kappa, variance = found$var.kappa)
}

fleiss <- function(x) {
  values <- sort(unique(as.vector(x)))
  counts <- t(apply(x, 1, function(row) table(factor(row, levels = values))))
  m <- ncol(x)
  P <- mean((rowSums(counts^2) - m) / (m * (m - 1)))
  e <- sum((colSums(counts) / sum(counts))^2)
  (P - e) / (1 - e)
}

limits <- function(x) {
  d <- x[, 1] - x[, 2]
  list(
    bias = mean(d), s = sd(d), bias_interval = as.vector(t.test(d)$conf.int),
    limits = mean(d) + c(-1, 1) * qnorm(.975) * sd(d)
  )
}

score <- function(x) {
  list(
    pearson = cor(x[, 1], x[, 2]),
    spearman = cor(x[, 1], x[, 2], method = "spearman")
  )
}

of <- function(x) {
  list(
    values = x, icc = icc(x), cronbach = suppressWarnings(psych::alpha(x)$total$raw_alpha),
    components = components(x), friedman = friedman(x), kappa = kappas(x), fleiss = fleiss(x),
    limits = limits(x), score = score(x)
  )
}

shrout <- matrix(
  c(9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7),
  ncol = 4, byrow = TRUE
)
cat(toJSON(
  list(
    versions = list(
      R = R.version.string, psych = as.character(packageVersion("psych")),
      lme4 = as.character(packageVersion("lme4"))
    ),
    made_by = "Rscript scripts/reference_values.R",
    shrout = of(shrout), full = of(full),
    holes = list(values = holes, components = components(holes))
  ),
  digits = NA, auto_unbox = TRUE, na = "null", pretty = FALSE
), "\n")
