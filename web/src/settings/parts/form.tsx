import { type ReactNode, useEffect, useRef, useState } from "react";
import { useIsConnected } from "../../api/client/connection.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { NO_PROBLEMS, type Problems, problemsOf } from "./problems.ts";

export type FormState = {
  readonly isBusy: boolean;
  readonly problems: Problems;
  /** Runs the form's work once at a time; a failure is shown at its field, and what was typed stays. */
  readonly submit: () => void;
};

/** The state of one form. `labels`: its fields as the service calls them, with the words that stand at them. */
export function useForm(labels: Readonly<Record<string, string>>, work: () => Promise<unknown>): FormState {
  const [isBusy, setBusy] = useState(false);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblems(NO_PROBLEMS);
    try {
      await work();
    } catch (error) {
      setProblems(problemsOf(error, labels));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problems, submit: () => void submit() };
}

/** A form whose first wrong field takes the focus. */
export function Form({
  form,
  children,
  id,
  className = "flex flex-col gap-4",
}: {
  readonly form: FormState;
  readonly children: ReactNode;
  readonly id?: string;
  readonly className?: string;
}) {
  const isConnected = useIsConnected();
  const isWaiting = form.isBusy && !isConnected;
  const element = useRef<HTMLFormElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form.problems !== NO_PROBLEMS) element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form.problems]);
  // A form in a dialog may be longer than the dialog, and a note at its end would stand unseen.
  useEffect(() => {
    notices.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [isWaiting, form.problems]);
  return (
    <form
      ref={element}
      id={id}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {children}
      <div ref={notices} className="contents">
        {isWaiting && <Notice kind="warn">There is no connection. What you typed is sent as soon as it is back.</Notice>}
        {form.problems.rest !== null && <Notice kind="problem">{form.problems.rest}</Notice>}
      </div>
    </form>
  );
}
