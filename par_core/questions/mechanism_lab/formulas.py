"""How the numbers of the lab are computed."""

from par_core.audit.outputs import EpsilonBound, Refutation
from par_core.lab import choose_one, coins, which_mechanism
from par_core.mechanisms import default_noise, max_posterior
from par_core.mechanisms.posterior import updated
from par_core.questions.blocks import Formula

TWO_WORLDS = (
    Formula(
        "Privacy loss of an answer, and what it does to the odds of a belief",
        r"\text{loss}(z) = \ln\frac{p_{41}(z)}{p_{40}(z)}, \qquad"
        r" \frac{P(41 \mid z)}{P(40 \mid z)} = e^{\text{loss}(z)}\,\frac{P(41)}{P(40)}",
        updated,
        "Bayes' rule",
        "For somebody who knows the count of everybody else.",
    ),
    Formula(
        "Bounds of a belief if no answer loses more than ε",
        r"\frac{q}{q + e^{\varepsilon}(1 - q)} \le P(41 \mid z) \le \frac{e^{\varepsilon} q}{e^{\varepsilon} q + 1 - q}",
        max_posterior,
        "lecture, page 13: ε-semantic privacy, with the odds instead of the belief",
        "q is the belief before. With Gaussian noise it holds except where the loss exceeds ε.",
    ),
)

WATCH_IT_RUN = (
    Formula(
        "(α, β)-accuracy of Laplace noise: α, which a release keeps with probability 1 − β",
        r"\|\text{error}\|_\infty \le \frac{\Delta}{\varepsilon} \ln\frac{1}{1 - (1 - \beta)^{1/k}}"
        r" \le \frac{\Delta}{\varepsilon} \ln\frac{k}{\beta}",
        default_noise(1.0),
        "law of k independent errors; the right side is the lecture's, page 25: the union bound",
        "For k = 1 both are the same.",
    ),
)

COINS = (
    Formula(
        "Estimate from what people say",
        r"\hat p = \frac{e^\varepsilon + 1}{e^\varepsilon - 1}\left(\bar y - \frac{1}{e^\varepsilon + 1}\right),\qquad"
        r" P(\text{truth}) = \frac{e^\varepsilon}{e^\varepsilon + 1}",
        coins.Survey,
        "expected share of people who say yes, solved for the true share",
        "Everybody follows the coins. The interval is that of Clopper and Pearson for the share who say yes, put through the same formula.",
    ),
    Formula(
        "The lecture's bound on its error, exceeded with probability β = 5 % at most",
        r"|\hat p - p| \le \frac{e^\varepsilon + 1}{e^\varepsilon - 1}\sqrt{\frac{\ln(2/\beta)}{2n}}",
        coins.SurveyErrors,
        "Hoeffding's inequality; lecture on mechanisms",
        "For every true share. The exact curve is for the share that is set here.",
    ),
    Formula(
        "Error of a trusted curator, exceeded with probability β",
        r"|\text{noise}|/n \le \frac{\ln(1/\beta)}{\varepsilon n}",
        coins.SurveyErrors,
        "law of Laplace noise on a count, sensitivity 1",
        "The curator knows all true answers, and publishes one noisy count.",
    ),
)

CHOOSE_ONE = (
    Formula(
        "Probability of candidate r",
        r"P(r) \propto \text{weight}(r)\cdot\exp\!\left(\frac{\varepsilon\,u(r)}{2\Delta_u}\right)",
        choose_one.Choice,
        "McSherry and Talwar 2007",
        "Neighbouring tables move the utility of each candidate by Δ at most.",
    ),
    Formula(
        "Utility bound, missed with probability β = 5 % at most",
        r"u(\text{best}) - u(r) \le \frac{2\Delta_u}{\varepsilon}\,\ln\frac{1}{\beta\,\pi(\text{best})}",
        choose_one.Choice,
        "McSherry and Talwar 2007; lecture on mechanisms",
        "π is the share of the best candidates in all weights: 1/|R| for one of |R| candidates alike.",
    ),
    Formula(
        "The same as a noisy maximum",
        r"\arg\max_r\left(\frac{\varepsilon\,u(r)}{2\Delta_u} + \ln\text{weight}(r) + G_r\right),\qquad G_r \sim \text{Gumbel}",
        choose_one.Choice,
        "law of the largest of shifted Gumbel variables",
        "Only the name of the largest is published, not its value.",
    ),
)

WHICH_MECHANISM = (
    Formula(
        "Laplace noise for k counts",
        r"b = \Delta_1/\varepsilon,\qquad \Delta_1 = k\ \text{or}\ 1",
        which_mechanism.Compared,
        "Dwork, McSherry, Nissim and Smith 2006",
        "Adds up what one person moves. Discrete Laplace noise has the same scale, on whole numbers.",
    ),
    Formula(
        "Gaussian noise for k counts",
        r"\Phi\!\left(\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}\right) - e^{\varepsilon}\,\Phi\!\left(-\tfrac{\mu}{2} - "
        r"\tfrac{\varepsilon}{\mu}\right) = \delta,\qquad \sigma = \Delta_2/\mu,\quad \Delta_2 = \sqrt{k}\ \text{or}\ 1",
        which_mechanism.Compared,
        "Balle and Wang 2018, Theorem 8",
        "The exact calibration, for any ε.",
    ),
)

REFUTE_CLAIM = (
    Formula(
        "Wealth of the bets: E is a set of answers, λ a stake, both chosen from earlier pairs",
        r"W_t = W_{t-1}\left(1 + \lambda_t\left(1[x_t \in E_t] - e^\varepsilon\, 1[y_t \in E_t] - \delta\right)\right),\qquad"
        r" P(\text{some } W_t \ge 20) \le \tfrac{1}{20} \text{ if the claim holds}",
        Refutation,
        "testing by betting (Waudby-Smith and Ramdas 2024; González and others 2025), Ville's inequality",
        "Each pair is drawn independently of earlier ones. In the other direction x and y change places.",
    ),
    Formula(
        "A curve is many lines, and each is bet against",
        r"P(E) \le e^\varepsilon Q(E) + \delta(\varepsilon) \text{ for every } \varepsilon \ge 0",
        Refutation,
        "Dong, Roth and Su (2022), Proposition 2.12",
        "Eight of the lines are used.",
    ),
    Formula(
        "ε at least, from all pairs at once",
        r"\varepsilon \ge \ln\frac{p_\text{low} - \delta}{q_\text{high}}",
        EpsilonBound,
        "set of answers chosen on one half, ends of Clopper and Pearson on the other",
        "Each end is wrong in at most 2.5 % of samples.",
    ),
)
