import { type FormEvent, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";

const COMMON_EMOJI = [
  "💡",
  "📌",
  "📥",
  "✅",
  "🚀",
  "📚",
  "🎬",
  "🎧",
  "📰",
  "🧪",
  "📊",
  "💬",
  "🛠️",
  "🌱",
  "🔥",
  "⭐",
  "❓",
  "🗂️",
  "🧭",
  "🎯",
  "📝",
  "🖼️",
  "🌍",
  "💰",
];

type EmojiDialogProps = {
  readonly current: string | null;
  readonly onClose: () => void;
  readonly onChoose: (emoji: string | null) => void;
};

/** Chooses a zone's emoji: a common one, any other typed, or none. */
export function EmojiDialog({ current, onClose, onChoose }: EmojiDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title="Zone emoji">
      <Choice current={current} onChoose={onChoose} />
    </Dialog>
  );
}

function Choice({ current, onChoose }: Pick<EmojiDialogProps, "current" | "onChoose">) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid grid-cols-6 gap-1 sm:grid-cols-8">
        {COMMON_EMOJI.map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-pressed={emoji === current}
            onClick={() => onChoose(emoji)}
            className="flex h-11 items-center justify-center rounded-md text-xl hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:ring-1 aria-pressed:ring-accent"
          >
            {emoji}
          </button>
        ))}
      </div>
      <TextField
        label="Another emoji"
        value={typed}
        error={error}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value);
          setError(null);
        }}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={() => onChoose(null)}>No emoji</Button>
        <Button variant="primary" type="submit">
          Use this emoji
        </Button>
      </div>
    </form>
  );

  function submit(event: FormEvent): void {
    event.preventDefault();
    const emoji = typed.trim();
    const graphemes = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(emoji)];
    const isOne = graphemes.length === 1 && /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(emoji);
    if (isOne) onChoose(emoji);
    else setError("Type or paste one emoji.");
  }
}
