import { expect, it } from "vitest";
import { serveArticle, startOrigin } from "../support/servers/origin.ts";
import { runPage } from "./support/reader.ts";

it("the commands of the quick start work when pasted", { timeout: 300_000 }, async () => {
  const origin = await startOrigin(serveArticle);
  try {
    const { printed } = await runPage("README.md", {
      environment: { FETCH_ALLOW: `127.0.0.1:${origin.port}`, FETCH_ROUTES: `https://en.wikipedia.org=${origin.url}` },
    });
    const responses = printed
      .join("")
      .replaceAll("}{", "}\n{")
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, any>);
    expect(responses[0]!.tile).toMatchObject({ status: "ready", type: "TEXT" });
    expect(responses[1]!.tile).toMatchObject({ status: "ready", type: "WEBSITE", title: "The northern lighthouse" });
    expect(responses[2]).toMatchObject({ answered: true, mode: "extractive" });
    expect(responses[2]!.citations[0].quote).toContain("opens at nine");
  } finally {
    await origin.close();
  }
});
