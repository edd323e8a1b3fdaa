"""How the numbers of "Only a sample" and "A group" are computed."""

from par_core.lab import a_group, only_a_sample
from par_core.questions.blocks import Formula

ONLY_A_SAMPLE = (
    Formula(
        "Level of a release from a sample that each person is in with probability q",
        r"\varepsilon' = \ln\left(1 + q\,(e^{\varepsilon} - 1)\right)",
        only_a_sample.SampledLevel,
        "Balle, Barthe and Gaboardi 2018, Poisson subsampling",
        "Exact for Laplace noise on a count. Next to q = 0 it is q·(e^ε − 1), not q·ε.",
    ),
)

A_GROUP = (
    Formula(
        "Level of a release for a group of k persons",
        r"\varepsilon_k = k\,\varepsilon",
        a_group.GroupLevel,
        "Dwork and Roth 2014, group privacy",
        "Exact for Laplace noise on a count, and a bound for everything else that needs no δ.",
    ),
    Formula(
        "Gaussian noise for a group of k persons",
        r"\mu_k = k\,\mu,\qquad \mu = \Delta_2/\sigma",
        a_group.GroupLevel,
        "Dong, Roth and Su 2022, group privacy",
        "The exact (ε, δ) follow from μ, as for one person.",
    ),
)
