import { type ReactNode, useId } from "react";
import { cn } from "../class-names.ts";

export type FieldProps = {
  readonly label: string;
  /** Help text. */
  readonly hint?: ReactNode;
  /** What is wrong with the input, and what to do. */
  readonly error?: string | null | undefined;
  /** Hides the label visually. */
  readonly hideLabel?: boolean;
  readonly className?: string | undefined;
};

/** Attributes that link the control to its label, hint and error. */
export type ControlProps = {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
};

/** A form field: label, control, hint and error. */
export function Field({
  label,
  hint,
  error,
  hideLabel = false,
  className,
  children,
}: FieldProps & { readonly children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const hasError = error !== null && error !== undefined && error !== "";
  const described = [hint !== undefined && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      {children({ id, "aria-describedby": described === "" ? undefined : described, "aria-invalid": hasError || undefined })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} role="alert" className={cn("text-sm text-danger", !hasError && "hidden")}>
        {error}
      </p>
    </div>
  );
}
