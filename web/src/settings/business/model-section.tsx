import type { ReactNode } from "react";
import { Panel } from "../../ui/floating/panel.tsx";
import { useModel } from "../settings-queries.ts";
import { Badge } from "../parts/badge.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";

const PROVIDERS: Readonly<Record<string, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google",
  "openai-compatible": "an OpenAI-compatible server",
};

/** The configured models, and the environment variables that set them. */
export function ModelSection() {
  const status = useModel();
  return (
    <SectionLayout
      title="Language model"
      lead="What answers questions and finds passages. The operator sets it where the service is started; it can’t be changed here."
    >
      <QueryView query={status} label="the status of models">
        {({ model, embeddings }) => (
          <>
            <Panel title="Answers" actions={model === null ? <Badge>Without a model</Badge> : <Badge tone="good">Set</Badge>}>
              {model === null ? (
                <p>
                  Answers are put together from the tiles’ own sentences, word for word, and every one is quoted. Pieces and ideas are
                  outlines of such sentences. To have a model write them, set these and start the service again:
                </p>
              ) : (
                <p>
                  <strong className="font-semibold">{model.name}</strong> of {PROVIDERS[model.provider] ?? model.provider} writes answers,
                  pieces and ideas. What it cites is checked against the tiles before it is shown.
                </p>
              )}
              <Names>
                <Name name="LLM_PROVIDER">openai, anthropic, google or openai-compatible (Ollama, vLLM, llama.cpp …)</Name>
                <Name name="LLM_MODEL">the model’s name, as its provider has it</Name>
                <Name name="LLM_API_KEY">the provider’s key; a server of your own may need none</Name>
                <Name name="LLM_BASE_URL">where an openai-compatible server is</Name>
              </Names>
            </Panel>
            <Panel
              title="Finding passages"
              actions={embeddings.kind === "off" ? <Badge tone="warn">Words alone</Badge> : <Badge tone="good">Words and meaning</Badge>}
            >
              <p>{EMBEDDINGS[embeddings.kind]?.(embeddings.model) ?? embeddings.kind}</p>
              <Names>
                <Name name="EMBEDDINGS">local, openai-compatible or off</Name>
                <Name name="EMBEDDINGS_MODEL">with openai-compatible: the model’s name</Name>
                <Name name="EMBEDDINGS_BASE_URL">with openai-compatible: where its server is</Name>
                <Name name="EMBEDDINGS_API_KEY">with openai-compatible: its key, where it needs one</Name>
              </Names>
            </Panel>
          </>
        )}
      </QueryView>
    </SectionLayout>
  );
}

const EMBEDDINGS: Readonly<Record<string, (model: string | null) => string>> = {
  local: (model) =>
    `Passages are found by their words and by their meaning, with a small model inside this install${model === null ? "" : ` (${model})`}. Nothing leaves the machine.`,
  off: () => "Passages are found by their words alone. Turn embeddings on to find what is said in other words.",
  "openai-compatible": (model) =>
    `Passages are found by their words and by their meaning, with ${model ?? "a model"} on an OpenAI-compatible server.`,
};

const Names = ({ children }: { readonly children: ReactNode }) => (
  <dl className="mt-3 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">{children}</dl>
);

function Name({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd className="text-quiet max-sm:mb-1.5">{children}</dd>
    </>
  );
}
