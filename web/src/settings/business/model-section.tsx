import type { ReactNode } from "react";
import { Panel } from "../../ui/floating/panel.tsx";
import { useModel } from "../../api/settings.ts";
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
      lead="The models that write answers and find passages. The operator configures them with environment variables."
    >
      <QueryView query={status} label="the status of models">
        {({ model, embeddings }) => (
          <>
            <Panel title="Answers" actions={model === null ? <Badge>No model</Badge> : <Badge tone="good">Configured</Badge>}>
              {model === null ? (
                <p>
                  Answers consist of sentences from the tiles, quoted verbatim. Drafts and ideas are outlines made of such sentences. To use
                  a model, set these variables and restart the service:
                </p>
              ) : (
                <p>
                  <strong className="font-semibold">{model.name}</strong> from {PROVIDERS[model.provider] ?? model.provider} writes answers,
                  drafts and ideas. Its citations are verified against the tiles before they are shown.
                </p>
              )}
              <Names>
                <Name name="LLM_PROVIDER">openai, anthropic, google or openai-compatible (Ollama, vLLM, llama.cpp …)</Name>
                <Name name="LLM_MODEL">the model’s name at the provider</Name>
                <Name name="LLM_API_KEY">the provider’s key; optional for your own server</Name>
                <Name name="LLM_BASE_URL">the address of an openai-compatible server</Name>
              </Names>
            </Panel>
            <Panel
              title="Search"
              actions={
                embeddings.kind === "off" ? <Badge tone="warn">Keywords only</Badge> : <Badge tone="good">Keywords and meaning</Badge>
              }
            >
              <p>{EMBEDDINGS[embeddings.kind]?.(embeddings.model) ?? embeddings.kind}</p>
              <Names>
                <Name name="EMBEDDINGS">local, openai-compatible or off</Name>
                <Name name="EMBEDDINGS_MODEL">with openai-compatible: the model’s name</Name>
                <Name name="EMBEDDINGS_BASE_URL">with openai-compatible: the server’s address</Name>
                <Name name="EMBEDDINGS_API_KEY">with openai-compatible: the key, if required</Name>
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
    `Passages are found by keywords and by meaning, with a small model that runs in this install${model === null ? "" : ` (${model})`}. No data leaves the machine.`,
  off: () => "Passages are found by keywords only. Turn on embeddings to also find passages with the same meaning in other words.",
  "openai-compatible": (model) =>
    `Passages are found by keywords and by meaning, with ${model ?? "a model"} on an OpenAI-compatible server.`,
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
