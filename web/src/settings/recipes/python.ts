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

const VERIFYING = `import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["TESSERA_SECRET"].replace("whsec_", ""))
# Ids with their time. If several processes receive events, keep them in your database.
handled = {}


def is_valid(raw_body: bytes, headers) -> bool:
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or len(timestamp) > 12 or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + raw_body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(expected, one.encode()) for one in headers.get("webhook-signature", "").split(" "))


def is_repeated(event_id: str) -> bool:
    for old in [key for key, at in handled.items() if at < time.time() - 86_400]:
        del handled[old]
    repeated = event_id in handled
    handled[event_id] = time.time()
    return repeated


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        valid = is_valid(raw_body, self.headers)
        self.send_response(204 if valid else 401)
        self.end_headers()
        if valid and not is_repeated(self.headers["webhook-id"]):
            event = json.loads(raw_body)
            print(event["event"], event["payload"], flush=True)


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()`;
