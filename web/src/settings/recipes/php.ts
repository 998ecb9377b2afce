import { type RecipeContext, type Recipe, getInboundUrl } from "./recipe.ts";

/** PHP 8 with its curl extension. */
export const phpRecipe = (context: RecipeContext): Recipe => ({
  id: "php",
  name: "PHP",
  send: [{ text: "Set the environment variable TESSERA_KEY to your API key, and run this code.", code: buildSendCode(context) }],
  verify: [
    {
      text: "Set TESSERA_SECRET to the webhook's secret. php://input is the raw body; $_POST and a framework's parsed body are not.",
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
$result = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
    throw new RuntimeException($result["error"]);
}
echo $result["tile"]["id"], " ", $result["tile"]["status"], PHP_EOL;`;

const VERIFYING = `<?php
$rawBody = file_get_contents("php://input");
$id = $_SERVER["HTTP_WEBHOOK_ID"] ?? "";
$timestamp = $_SERVER["HTTP_WEBHOOK_TIMESTAMP"] ?? "";
$key = base64_decode(str_replace("whsec_", "", getenv("TESSERA_SECRET")));
$expected = "v1," . base64_encode(hash_hmac("sha256", "$id.$timestamp.$rawBody", $key, true));
$valid = false;
foreach (explode(" ", $_SERVER["HTTP_WEBHOOK_SIGNATURE"] ?? "") as $signature) {
    $valid = hash_equals($expected, $signature) || $valid;
}
if (!$valid || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}
// A file for each handled event. If several machines receive events, keep the ids in your database.
$mark = sys_get_temp_dir() . "/tessera-" . hash("sha256", $id);
if (@fopen($mark, "x") !== false) {
    $event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
    error_log($event["event"] . " " . json_encode($event["payload"]));
}
http_response_code(204);`;
