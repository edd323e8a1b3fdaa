# The explorer without git and without what only its development needs. Build and run:
#   docker build --tag privacy-at-risk --build-arg PAR_COMMIT="$(git describe --always --dirty --abbrev=10)" .
#   docker run --publish 127.0.0.1:8501:8501 privacy-at-risk
# `make container` checks both, and without a container engine the same steps in a folder of its own.
FROM python:3.11-slim

WORKDIR /srv/explorer
RUN useradd --create-home --uid 10001 explorer

COPY requirements.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check -r requirements.txt
COPY . ./
RUN python -m compileall -q app.py pages par_core par_distributed

# The folder has no history to ask for the version.
ARG PAR_COMMIT=""
# For many readers at once: no threads of linear algebra beside theirs, and no arena of memory for each of them.
# Within the container every address is its own; which of them can be reached is said by --publish. Where the address of the
# server is not named, Streamlit asks another host for it when it starts.
ENV PAR_COMMIT=$PAR_COMMIT \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    OPENBLAS_NUM_THREADS=1 \
    MALLOC_ARENA_MAX=2 \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_BROWSER_SERVER_ADDRESS=localhost

USER explorer
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD python -c "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/${STREAMLIT_SERVER_BASE_URL_PATH:+$STREAMLIT_SERVER_BASE_URL_PATH/}_stcore/health', timeout=4)"
CMD ["streamlit", "run", "app.py"]
