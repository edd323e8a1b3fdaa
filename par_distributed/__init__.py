"""The empirical audit of a data set that is larger than memory: Parquet in row groups, on the cores of one machine or of many.

The individuals are cut into blocks of a fixed size in the order of the data set, whatever its row groups are. A first pass adds up
each database, a second one audits block after block. The result of every block is a file of its own, which is there whole or not
at all: who runs the same audit again, after a worker or everything was killed, computes what is missing and ends with the same
bytes. Needs the extra `distributed`.
"""

from par_distributed.auditing import DatasetAudit as DatasetAudit
from par_distributed.auditing import audit_dataset as audit_dataset
