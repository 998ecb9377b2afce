import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { listBuffers } from "#domain/answers/analysis.ts";
import type { Mail } from "#domain/content/file.ts";
import { findShortage } from "#domain/core/errors/shortage.ts";
import { IngestError } from "#domain/content/job.ts";
import { readHead } from "../clean/head.ts";
import { readPlainText } from "../read/plain/plain-text.ts";
import { decodeBody } from "../read/plain/charset.ts";
import { cleanPage } from "../clean/page.ts";
import type { AnalysedPart } from "#retrieval/lexical/analyse.ts";
import type { ThreadAnswer, ThreadTask } from "./tasks.ts";

/** Runs one task of the pool. The pool sends the next one only after the response. */
async function runTask(task: ThreadTask): Promise<unknown> {
  if (task.kind === "plainText") return readPlainText(task.page.body, task.page.contentType);
  if (task.kind === "page") {
    const { text } = decodeBody(task.page.body, task.page.contentType);
    return cleanPage({ html: text, url: task.page.url });
  }
  if (task.kind === "clean") return cleanPage(task.page);
  if (task.kind === "head") return readHead(task.page);
  // These modules are large, so only threads that need them load them.
  if (task.kind === "feed") return (await import("../read/feed/feed.ts")).readFeed(task.text);
  if (task.kind === "document") return (await import("../read/document.ts")).readDocument(task.bytes, task.form);
  if (task.kind === "mail") return (await import("../read/mail/mail.ts")).readMail(task.bytes);
  const { analysePart } = await import("#retrieval/lexical/analyse.ts");
  return task.parts.map(analysePart);
}

/** Runs a task and returns the message to send back. Never throws. */
async function respondTo(task: ThreadTask): Promise<ThreadAnswer> {
  try {
    const value = await runTask(task);
    return { kind: "done", value, heapMb: getHeapStatistics().total_physical_size / 1_048_576 };
  } catch (error) {
    if (error instanceof IngestError) return { kind: "refused", code: error.code, message: error.message, stage: error.stage };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "failed", message, shortage: findShortage(error) };
  }
}

/** Returns the buffers of the result that are transferred, so that the main thread does not copy them. */
function listTransferred(task: ThreadTask, answer: ThreadAnswer): ArrayBuffer[] {
  if (answer.kind !== "done") return [];
  if (task.kind === "mail") return [...new Set((answer.value as Mail).files.map(({ bytes }) => bytes.buffer as ArrayBuffer))];
  if (task.kind !== "analyse") return [];
  return (answer.value as readonly AnalysedPart[]).flatMap(({ analysis }) => listBuffers(analysis));
}

parentPort?.on("message", (task: ThreadTask) => {
  void respondTo(task).then((message) => parentPort?.postMessage(message, listTransferred(task, message)));
});
parentPort?.postMessage({ kind: "ready" } satisfies ThreadAnswer);
