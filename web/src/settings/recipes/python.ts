import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

/** Python 3, using only its standard library. */
export const pythonRecipe = (context: RecipeContext): Recipe => ({
  id: "python",
  name: "Python",
  send: [{ text: "Set the environment variable TESSERA_KEY to your API key, and run this code.", code: buildSendCode(context) }],
  verify: [
    { text: "Set TESSERA_SECRET to the webhook's secret. The signature is computed over the raw body.", code: VERIFYING },
    { text: "With Flask the raw body is request.get_data(), with Django request.body, with FastAPI await request.body()." },
  ],
});

const buildSendCode = (context: RecipeContext): string => `import json
import os
import urllib.request

request = urllib.request.Request(
    "${getInboundUrl(context)}",
    data=json.dumps({"board_id": "${context.boardId}", "url": "https://example.com/article"}).encode(),
    headers={"X-API-Key": os.environ["TESSERA_KEY"], "Content-Type": "application/json"},
    method="POST",
)
with urllib.request.urlopen(request, timeout=30) as response:
    tile = json.load(response)["tile"]
print(tile["id"], tile["status"])`;

const VERIFYING = `import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer


def is_valid(raw_body: bytes, header: str) -> bool:
    expected = hmac.new(os.environ["TESSERA_SECRET"].encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), header.encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        valid = is_valid(raw_body, self.headers.get("X-Service-Signature", ""))
        self.send_response(204 if valid else 401)
        self.end_headers()
        if valid:
            event = json.loads(raw_body)
            print(event["event"], event["payload"], flush=True)


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()`;
