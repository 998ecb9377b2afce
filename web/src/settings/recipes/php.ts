import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

/** PHP 8 with its curl extension. */
export const phpRecipe = (context: RecipeContext): Recipe => ({
  id: "php",
  name: "PHP",
  send: [{ text: "Put the key into the environment variable TESSERA_KEY, then send the request.", code: buildSendCode(context) }],
  verify: [
    {
      text: "Put the webhook's secret into TESSERA_SECRET. php://input is the raw body; $_POST and a framework's parsed body are not.",
      code: VERIFYING,
    },
    { text: "With Laravel or Symfony the raw body is $request->getContent()." },
  ],
});

const buildSendCode = (context: RecipeContext): string => `<?php
$request = curl_init("${getInboundUrl(context)}");
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => ["X-API-Key: " . getenv("TESSERA_KEY"), "Content-Type: application/json"],
    CURLOPT_POSTFIELDS => json_encode(["board_id" => "${context.boardId}", "url" => "https://example.com/article"]),
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
$answer = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
    throw new RuntimeException($answer["error"]);
}
echo $answer["tile"]["id"], " ", $answer["tile"]["status"], PHP_EOL;`;

const VERIFYING = `<?php
$rawBody = file_get_contents("php://input");
$wanted = hash_hmac("sha256", $rawBody, getenv("TESSERA_SECRET"));
$given = $_SERVER["HTTP_X_SERVICE_SIGNATURE"] ?? "";
if (!hash_equals($wanted, $given)) {
    http_response_code(401);
    exit;
}
$event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
error_log($event["event"] . " " . json_encode($event["payload"]));
http_response_code(204);`;
