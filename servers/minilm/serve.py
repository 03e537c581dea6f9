"""Embeddings of all-MiniLM-L6-v2 in OpenAI's protocol, on a free port of the loopback address: prints {"url": …} when it listens.

The model is computed with NumPy, as BERT is described: six layers, the mean over the tokens of a text, length 1. Each text is computed with
texts of the same number of tokens, so nothing is padded.
"""

import json
import os
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

LAYERS = 6
HEADS = 12
MAX_TOKENS = 256

# Its __init__ is not needed, and neither is what it would import.
FOLDER = find_spec("all_minilm_l6_v2").submodule_search_locations[0]
with zipfile.ZipFile(os.path.join(FOLDER, "model.zip")) as archive:
    WEIGHTS = load(archive.read("model.safetensors"))
    TOKENIZER = Tokenizer.from_str(archive.read("tokenizer.json").decode())
TOKENIZER.no_padding()
TOKENIZER.enable_truncation(MAX_TOKENS)


def dense(x, name):
    # As one matrix, which is faster than one for each text.
    flat = x.reshape(-1, x.shape[-1]) @ WEIGHTS[f"{name}.weight"].T + WEIGHTS[f"{name}.bias"]
    return flat.reshape(*x.shape[:-1], -1)


def normed(x, name):
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * WEIGHTS[f"{name}.weight"] + WEIGHTS[f"{name}.bias"]


def error_function(x):
    """To 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    terms = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1 - terms * np.exp(-x * x))


def gelu(x):
    return 0.5 * x * (1 + error_function(x / 2**0.5))


def attention(x, name):
    texts, tokens, width = x.shape
    heads = lambda y: y.reshape(texts, tokens, HEADS, width // HEADS).transpose(0, 2, 1, 3)
    query, key, value = (heads(dense(x, f"{name}.self.{part}")) for part in ("query", "key", "value"))
    scores = query @ key.transpose(0, 1, 3, 2) / (width // HEADS) ** 0.5
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    mixed = (weights @ value).transpose(0, 2, 1, 3).reshape(x.shape)
    return normed(dense(mixed, f"{name}.output.dense") + x, f"{name}.output.LayerNorm")


def embed_alike(ids):
    """Vectors of texts with the same number of tokens."""
    x = WEIGHTS["embeddings.word_embeddings.weight"][ids]
    x = x + WEIGHTS["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = normed(x + WEIGHTS["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        x = attention(x, f"{name}.attention")
        x = normed(dense(gelu(dense(x, f"{name}.intermediate.dense")), f"{name}.output.dense") + x, f"{name}.output.LayerNorm")
    mean = x.mean(1)
    return mean / np.linalg.norm(mean, axis=-1, keepdims=True)


def embed(texts):
    encoded = [encoding.ids for encoding in TOKENIZER.encode_batch(texts)]
    vectors = [None] * len(texts)
    for length in {len(ids) for ids in encoded}:
        places = [place for place, ids in enumerate(encoded) if len(ids) == length]
        for place, vector in zip(places, embed_alike(np.array([encoded[place] for place in places]))):
            vectors[place] = vector.tolist()
    return vectors, sum(len(ids) for ids in encoded)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        vectors, tokens = embed(texts)
        data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        answer = json.dumps({"object": "list", "model": body["model"], "data": data, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def end_with_stdin():
    sys.stdin.read()
    os._exit(0)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=end_with_stdin, daemon=True).start()
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}/v1"}), flush=True)
server.serve_forever()
