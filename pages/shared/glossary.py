"""Every technical word in one line, for the hover texts of all pages."""

from __future__ import annotations

_WORDS = {
    "epsilon0": "ε₀: the privacy level that the noise is made for. Smaller is more private: 0.1 is strict, 1 is common, "
    "above 5 hardly anything is protected.",
    "epsilon": "ε: a stronger (smaller) level than ε₀ that one hopes to reach with the same noise, at least often.",
    "k": "k: how many numbers one answer holds. A single count has k = 1, a histogram of five age groups k = 5.",
    "sensitivity": "By how much the answer can change, in its own unit, when one row changes. A count has 1.",
    "neighbours": "What “one person's data change” means: replaced by another person's (the number of persons is public), or "
    "added to and removed from the table.",
    "rows_per_person": "How many rows of the table can belong to one person at most; the noise grows with them.",
    "statistics": "How many separate statistics this release holds; they share ε₀ equally, so each needs more noise.",
    "releases": "How many times you plan to publish from the same people; privacy wears out with each.",
    "stakeholders": "How many people would have to be compensated after a breach.",
    "compensation": "What each of them would be paid after a breach if nothing protected them.",
    "currency": "Three capital letters, such as USD, EUR or SGD. Amounts are not converted.",
    "delta": "δ: the small probability with which a guarantee may fail altogether. Far below 1 divided by the number of people.",
    "confidence": "How often one release is as private as ε instead of only ε₀. Risk is 1 minus confidence.",
    "true_confidence": "The same for two tables that differ as much as they can, computed exactly. Rounded down.",
    "risk": "How often one release is less private than ε. Risk is 1 minus confidence.",
    "loss": "Privacy loss: how strongly one published answer speaks for one table and against its neighbour, as a logarithm. "
    "Never above ε₀.",
    "false_positive": "False alarms: how often an attacker says yes where the answer is no.",
    "false_negative": "Misses: how often an attacker says no where the answer is yes.",
    "advantage": "The largest gap between right and wrong accusations that any attacker who knows everyone else's data can reach: 0 is "
    "blind, 100 is certain.",
    "posterior": "How sure an attacker who knows everyone else's data becomes at most that one person's true record was used. What "
    "others' data teach about that person is not in it.",
    "prior": "How sure the attacker was before the release that one person's true record was used.",
    "overlap": "The area shared by two noise distributions: 1 if they are the same, 0 if they have nothing in common.",
    "post_processing": "Anything done with a release afterwards, without the data: rounding, thresholds, charts.",
    "threshold": "Only “above it” or “not above it” is published. In units of the sensitivity; the two tables answer 0 and 1.",
    "query": "What is published: how many rows meet a condition, how many fall into each category, a sum, or a mean.",
    "categories": "The list of cells, one per line. It must be known without the table: a list read off the table tells which "
    "values occur in it.",
    "rest_cell": "One more cell for every value that is not on the list. Without it such rows are counted nowhere.",
    "bounds": "Values outside are moved to the nearest bound before they are added. Take them from what is publicly known, never "
    "from the table: its largest value belongs to one person.",
    "condition": "Which rows are counted. A row without a value in that column never meets it.",
    "person_column": "The column that says whose row it is, if one person can have several rows.",
    "over_cap": "What happens to persons with more: their first rows or cells stay, or the release stops.",
    "once_per_cell": "However many rows a person has in a cell, they count as 1 there. Nothing that a person has in other cells is lost "
    "but what is beyond the cells per person.",
    "skip_missing": "Otherwise a row without a value counts as 0 and pulls the mean down. How many rows have one is private: a noisy sum "
    "is divided by a noisy count then.",
    "rows_guess": "How many rows the mean is taken over, at least: your guess from what is publicly known. Not read off the table.",
    "range95": "In 95 of 100 releases the published number is off by at most this.",
    "exact_answer": "The answer without noise. Private: it is for your eyes only, in no link, no file and no code.",
    "measure": "What is meant by the error: of one number or of all at once in 95 of 100 releases, of their total, or on average.",
    "breach": "Breach: somebody learns about one person from what you published, though no name stands in it.",
    "baseline": "What a breach costs if you count on nothing better than ε₀. By your cost model it is enough after any one release.",
    "least_budget": "The smallest average over releases that any ε gives: a stronger level makes a breach cheaper, but holds less "
    "often. Where it fails, up to the amount at ε₀ is due.",
    "least_true": "The smallest average over releases, with the confidence that holds for two tables that differ as much as they can. "
    "Where ε fails, up to the amount at ε₀ is due.",
    "saving": "How much less the least average is than counting on ε₀ alone, by the paper's formula.",
    "true_saving": "How much less the least average is than counting on ε₀ alone, with the true confidence.",
    "cost_model": "Who has to be paid after a breach: each person, a fine and each person, or amounts from a table of your own.",
    "rate": "How fast a breach gets cheaper as the privacy level falls: at ε it costs e^(−rate/ε) of the full amount.",
    "minimum": "What each person is paid after a breach however strong the privacy was.",
    "capped": "On: nobody is ever paid more than the compensation. Off: as the paper prints it, the minimum comes on top.",
    "fine": "Paid once after a breach, whatever the number of people.",
    "fine_rate": "Like the rate, for the fine. 0: the fine is due in full in any breach.",
    "points": "What a breach costs in all at some levels ε, rising; straight lines between them.",
    "money_there_is": "The budget that you could set aside for a breach.",
    "largest_error": "By how much each published number may be off on average, in its own unit.",
    "moved": "Each input is lowered and raised by this share, one at a time; k, which is whole, is halved and doubled.",
    "compared": "Keeps all its numbers in the link, up to four scenarios.",
    "spent": "How much is spent is told as one ε for all releases together: smaller is more private, 0 is nothing.",
    "ways_of_counting": "Each is a theorem or a claim about what many releases spend together. Of what is spent, less is better, "
    "as long as it is not below the exact one.",
    "largest_number": "The curves are drawn from 1 release up to this number, at most 20,000.",
    "axes": "Logarithmic: equal steps multiply, so that a few releases and thousands can be read in one picture.",
    "numbers_at": "Numbers of releases at which the table says what is spent, at most 20,000.",
    "my_scenario": "Takes ε₀, δ and k from your scenario, and its number of releases if they are 10 or more.",
    "target": "What all releases together may spend at most. Smaller is more private; above 5 hardly anything is protected.",
    "mixed_table": "What you have published or plan to publish about the same people.",
    "shares": "How far one person moves each number, as a share of the sensitivity: 0.5, 0.3, 0.2 means half of it in the first.",
    "pairs": "How many pairs of neighbouring tables are drawn. In each pair one person's row is another person's.",
    "rho": "ρ: how far the sampled curve may lie from the true one, as a share of pairs: 0.01 is one pair in a hundred.",
    "alpha": "α: the probability that the sample is as good as that. 1 − α is the risk that it misleads.",
    "sampled_curve": "For every size of change it says which share of pairs the query moves by at most so much.",
    "sampled_query": "What is asked of each table; how far its answer differs between the two of a pair is its sensitivity there.",
    "which_quantile": "0.5 is the median, 0.9 the value that nine in ten rows do not exceed.",
    "predicted": "The column of numbers that the regression predicts. It is scaled to lie from 0 to 1 between its bounds.",
    "predictors": "The columns to predict from. Each row of them is scaled to length 1, so that nobody weighs more than others.",
    "penalty": "λ: how strongly large coefficients are held down. A larger one makes the fit move less with one person.",
    "intercept": "A constant added to every prediction. It is released with noise like the other coefficients.",
    "pairs_from": "Rows of the table: pairs are drawn from it as it is. Fitted distributions: new rows are made up, column by column.",
    "law": "The likeliest is chosen by Akaike's criterion among those that the values allow.",
    "rows_per_set": "Rows of each table of a pair: take as many as the table has from which you will publish. The fewer rows, the "
    "further one person moves the answer.",
    "share_to_cover": "The share of all pairs whose change is not to exceed the number that is read off.",
    "sure": "How probable it is to be that the number covers this share, over all samples that could have been drawn.",
    "sampled_sensitivity": "The sum of the changes of all published numbers when one person's row is replaced by another's.",
    "eta": "η: how many times the sampled sensitivity the true one is. The release is then as private as η·ε₀.",
    "quantile_taken": "Which quantile of the sampled sensitivities the noise is calibrated to; 1 is the largest.",
    "empirical_confidence": "What the paper calls the confidence after sampling: that of the sample times that of the noise.",
    "rmse": "Root of the mean squared error of the predictions, in the unit of what is predicted.",
    "noise_for": "How far one person moves the coefficients at most: by our proof, or by the formula of the published script.",
    "runs": "Each run splits the rows anew, 80 % to fit and 20 % to test, and draws new noise.",
    "audit_epsilon": "ε: how much an answer may tell about whether one individual is in the data before it counts as exposed.",
    "total_risk": "All together: the paper's total risk, which adds up the excesses of all individuals.",
    "allowed_delta": "The page says from which ε on nobody has a larger δ than this.",
    "audit_intervals": "Between which values the true δ and δ* lie, in at least 95 of 100 audits.",
    "exposed": "The answers with and without that individual differ by more than a factor of e^ε somewhere.",
    "ranking": "From the most exposed on, at this ε. The ranking itself is sensitive: it says whose data stand out.",
    "masked": "Names are replaced by ranks, on the page and in what you download.",
    "audited_query": "What was published of every database, without noise.",
    "audited_value": "The number that each record holds.",
    "subsamples": "How many random subsamples of the table are drawn; each counts as one database.",
    "subsample_share": "Which share of the persons is in each subsample, drawn without putting back.",
    "panel_form": "How the file is built: a row per record, a row per person with a column for each database, or one table to draw "
    "random subsamples from.",
    "individual_column": "The column that says whose record it is: the same name in every database.",
    "database_column": "The column that says to which database a record belongs: a day, a year, a site.",
    "other_densities": "The density of the answers can be estimated in several ways; each gives another δ, most where they are rare.",
    "wanted_level": "Everybody's going away shall change the density of the answers by at most a factor of e^ε.",
    "kernels": "How each answer is spread out to estimate the density. Only for Laplace kernels the noise is known exactly.",
    "audit_noise": "Added to every answer before it is published. It widens the density until nobody's going away shows more than wanted.",
    "fingerprint": "With it you can prove later which data were audited. It needs a secret: a plain fingerprint of personal data could be "
    "guessed by trying.",
    "present": "Large type, the sidebar folded, one section at a time; PageDown and PageUp (a clicker) move on and back.",
}


def explain(word: str) -> str:
    """Return the one-line explanation of a word; KeyError for a word that has none."""
    return _WORDS[word]
