import { expect, it } from "vitest";
import { ID, DOC, LOGIN, open, named, ARTICLE_TEXT } from "./google-site.ts";

const SLIDES = `https://docs.google.com/presentation/d/${ID}/edit#slide=id.p`;

it("slides on Google Docs have their text", async () => {
  const wire = await open(({ path }) =>
    path === `/presentation/d/${ID}/export/txt` ? named("Lens\r\n\r\n\r\n\r\nRings", "Talk.txt") : undefined,
  );
  expect(await wire.ingest(SLIDES)).toMatchObject({ title: "Talk", text: "Lens\n\nRings", metadata: { subtype: "SLIDES" } });
});

it("a form on Google Docs is read from its public page", async () => {
  const page = `<!doctype html><html><head><title>Survey</title></head><body><form><div role="listitem"><p>${ARTICLE_TEXT}</p></div></form></body></html>`;
  const wire = await open(({ path }) => (path === "/forms/d/e/1FAIpQLSabc/viewform" ? page : undefined));
  expect((await wire.ingest("https://docs.google.com/forms/d/e/1FAIpQLSabc/viewform?usp=sf_link")).text).toContain("twenty miles");
});

it("a file on Google Drive is handed on by its address; a large one is confirmed", async () => {
  const wire = await open(
    () => undefined,
    ({ path }) =>
      path === "/uc" ? '<!doctype html><title>Google Drive - Virus scan warning</title><form id="download-form"></form>' : undefined,
  );
  expect(await wire.ingest(`https://drive.google.com/file/d/${ID}/view?usp=sharing`)).toMatchObject({
    text: "The words of a large file.",
  });
  expect(wire.calls).toEqual([
    `GET drive.google.com/uc?export=download&id=${ID}`,
    `GET drive.usercontent.google.com/download?id=${ID}&export=download&confirm=t`,
  ]);
  const redirected = await open(
    () => undefined,
    ({ path }) =>
      path === "/uc"
        ? { status: 303, headers: { location: `https://drive.usercontent.google.com/download?id=${ID}&export=download` } }
        : undefined,
  );
  expect((await redirected.ingest(`https://drive.google.com/open?id=${ID}`)).text).toBe("The words of a large file.");
});

it("a link to Google Drive with only an id leads to its document", async () => {
  const wire = await open(
    ({ path }) => (path.endsWith("/export") ? named("Words.", "a.md") : "<html>doc</html>"),
    ({ path }) => (path === "/open" ? { status: 302, headers: { location: DOC } } : undefined),
  );
  expect(await wire.ingest(`https://drive.google.com/open?id=${ID}`)).toMatchObject({ text: "Words.", metadata: { subtype: "DOC" } });
});

it("a file on Google Drive that cannot be downloaded has its name; a private one fails with that reason", async () => {
  const wire = await open(
    () => undefined,
    ({ path }) =>
      path.endsWith("/view")
        ? '<html><head><meta property="og:title" content="plan.pdf"><title>plan.pdf - Google Drive</title></head></html>'
        : { status: 403 },
  );
  expect(await wire.ingest(`https://drive.google.com/file/d/${ID}/view`)).toMatchObject({
    title: "plan.pdf",
    warnings: [{ code: "thin_content" }],
  });
  const hidden = await open(
    () => undefined,
    () => ({ status: 302, headers: { location: LOGIN } }),
  );
  await expect(hidden.ingest(`https://drive.google.com/file/d/${ID}/view`)).rejects.toMatchObject({ code: "private" });
});

it("a folder on Google Drive has the names of its files", async () => {
  const entries = ["a &amp; b.pdf", "Notes"]
    .map((name) => `<div class="flip-entry"><div class="flip-entry-title">${name}</div></div>`)
    .join("");
  const wire = await open(
    () => undefined,
    ({ path }) => (path === "/embeddedfolderview" ? `<html><head><title>Plans</title></head><body>${entries}</body></html>` : undefined),
  );
  expect(await wire.ingest(`https://drive.google.com/drive/folders/${ID}?usp=sharing`)).toMatchObject({
    title: "Plans",
    text: "- a & b.pdf\n- Notes",
    metadata: { subtype: "FOLDER", stats: { files: 2 } },
    warnings: [{ code: "thin_content" }],
  });
});
