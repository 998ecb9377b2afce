import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import { describe, expect, it, test } from "vitest";
import { buildExample } from "#http/openapi/example.ts";
import { Type } from "typebox";
import { document, follow, operations } from "./built-document.ts";

describe("examples", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package's types describe its ES module, which is not what Node loads.
  (formatsModule as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema(document, "api");

  const medias = operations.flatMap(({ name, operation, pointer }) => [
    ...(operation.requestBody === undefined ? [] : [[`${name} request`, `${pointer}/requestBody/content`, operation.requestBody.content]]),
    ...Object.entries<any>(operation.responses).map(([status, response]) => [
      `${name} ${status}`,
      `${response.$ref?.slice(1) ?? `${pointer}/responses/${status}`}/content`,
      follow(response).content ?? {},
    ]),
  ]) as [string, string, any][];

  it("an example matches its schema", () => {
    let checked = 0;
    for (const [name, pointer, content] of medias)
      for (const [type, { example }] of Object.entries<any>(content)) {
        if (example === undefined) continue;
        const validate = ajv.compile({ $ref: `api#${encodeURI(`${pointer}/${type.replaceAll("/", "~1")}/schema`)}` });
        expect(validate(example) ? [] : validate.errors, `${name} ${type} ${JSON.stringify(example)}`).toEqual([]);
        checked++;
      }
    expect(checked).toBeGreaterThan(100);
  });

  // The page at /docs sends what it shows: an id of another install would be 400, and a repeated Idempotency-Key 409.
  it("an example of a request can be sent as it is, but for the ids that it must have", () => {
    const parameters = operations.flatMap(({ operation }) => (operation.parameters ?? []).map(follow));
    expect(parameters.filter((parameter: any) => "example" in parameter && parameter.required !== true)).toEqual([]);
    for (const [name, , content] of medias.filter(([one]) => !/ \d/.test(one))) {
      const { example, schema } = content["application/json"] ?? {};
      const required = new Set<string>(follow(schema ?? {}).required ?? []);
      const ids = Object.entries(example ?? {}).filter(([field, value]) => /^[a-z]{3}_0/.test(String(value)) && !required.has(field));
      expect(ids, name).toEqual([]);
    }
  });

  it("an example exists for every JSON request and response, without placeholder text", () => {
    for (const [name, , content] of medias) {
      const json = content["application/json"];
      if (json === undefined) continue;
      expect(json.example, name).toBeDefined();
      expect(JSON.stringify(json.example), name).not.toContain(':"text"');
    }
  });
});

it("the page at /docs fills in what has an example, but sends no optional header and no parameter that the user did not write", () => {
  const parameters = operations.flatMap(({ name, pointer, operation }) =>
    pointer.startsWith("/paths") ? (operation.parameters ?? []).map((one: any) => [name, follow(one)]) : [],
  );
  expect(parameters.length).toBeGreaterThan(100);
  for (const [name, { example, examples, schema }] of parameters)
    expect([example, examples, schema.example, schema.examples, schema.default], name).toEqual(Array(5).fill(undefined));
});

it("the page at /docs names no zone or board in a body unless the call needs one", () => {
  for (const { name, pointer, operation } of operations) {
    const media = pointer.startsWith("/paths") ? operation.requestBody?.content["application/json"] : undefined;
    if (media === undefined) continue;
    const { required = [] } = follow(media.schema);
    const ids = Object.entries<any>(media.example).filter(([field, value]) => /(?:zone|tile|board)_ids?$/.test(field) && value !== null);
    expect(
      ids.map(([field]) => field).filter((field) => !required.includes(field)),
      name,
    ).toEqual([]);
  }
});

test("an example is composed of the examples of its properties", () => {
  const schema = Type.Object({
    name: Type.String({ examples: ["Ada"] }),
    left: Type.Optional(Type.String()),
    shown: Type.Optional(Type.Integer({ examples: [7] })),
    list: Type.Array(Type.Object({ ok: Type.Literal(true) })),
  });
  expect(buildExample(schema as never)).toEqual({ name: "Ada", shown: 7, list: [{ ok: true }] });
});
