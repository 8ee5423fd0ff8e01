# The page and the API for many visitors: docker build -t bgai . && docker run -p 8421:8421 -v bgai:/data bgai
# Nothing is fetched when it runs. docs/hosting.md has the rest.
FROM python:3.12-slim
ENV BGAI_CACHE_DIR=/data/cache PYTHONUNBUFFERED=1
WORKDIR /bgai
COPY . .
RUN pip install --no-cache-dir --constraint scripts/constraints.txt '.[web]' \
    && useradd --create-home bgai && install -d -o bgai /data
USER bgai
VOLUME /data
EXPOSE 8421
CMD ["bgai", "serve", "--host", "0.0.0.0", "--games", "/data/games"]
