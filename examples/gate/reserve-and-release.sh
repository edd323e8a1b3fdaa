# The year of a plan: its budget is taken once, and every run of the script takes its places from that. Nothing of visits.csv leaves here.
set -e
par plan plan.toml visits.csv --code release.py
par ledger reserve --policy policy.toml --ledger ledger.jsonl plan.toml --format json --output reserved.json
id=$(python -c 'import json; print(json.load(open("reserved.json"))["settings"]["id"])')
python release.py visits.csv --ledger ledger.jsonl --reservation "$id"            # January: both releases
python release.py visits.csv --ledger ledger.jsonl --reservation "$id" --only 1   # February: the counts alone
par ledger show --ledger ledger.jsonl
