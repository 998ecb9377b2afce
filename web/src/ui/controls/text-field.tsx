import { type ComponentProps, type ReactNode, useState } from "react";
import { cn } from "../class-names.ts";
import { Field, type FieldProps } from "./field.tsx";
import { EyeIcon, EyeOffIcon } from "../icons/icons.ts";

export type TextFieldProps = FieldProps &
  Omit<ComponentProps<"input">, "id" | "className"> & { readonly inputClassName?: string | undefined };

const BOX = "field-box h-9 pointer-coarse:h-11";

/** A single-line text field. */
export function TextField({ label, hint, error, hideLabel, className, inputClassName, ...input }: TextFieldProps) {
  return (
    <Field {...toFieldProps({ label, hint, error, hideLabel, className })}>
      {(control) => <input type="text" {...getDirection(input.type)} {...input} {...control} className={cn(BOX, inputClassName)} />}
    </Field>
  );
}

/** Text follows its own direction; addresses, numbers and dates are left to right. */
const getDirection = (type: string | undefined): { readonly dir?: "auto" } =>
  type === undefined || type === "text" || type === "search" ? { dir: "auto" } : {};

/** A password field with a button to show the password. */
export function PasswordField({ label, hint, error, hideLabel, className, ...input }: Omit<TextFieldProps, "type" | "inputClassName">) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...toFieldProps({ label, hint, error, hideLabel, className })}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={isShown ? "text" : "password"}
            spellCheck={false}
            autoCapitalize="none"
            className={cn(BOX, "pr-11")}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label={`Show ${label.toLowerCase()}`}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-md text-quiet hover:text-ink pointer-coarse:w-11"
          >
            {isShown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        </div>
      )}
    </Field>
  );
}

/** A multi-line text field. */
export function TextArea({
  label,
  hint,
  error,
  hideLabel,
  className,
  inputClassName,
  ...input
}: FieldProps & Omit<ComponentProps<"textarea">, "id" | "className"> & { readonly inputClassName?: string | undefined }) {
  return (
    <Field {...toFieldProps({ label, hint, error, hideLabel, className })}>
      {(control) => <textarea rows={4} dir="auto" {...input} {...control} className={cn("field-box resize-y py-2", inputClassName)} />}
    </Field>
  );
}

/** A native select field. */
export function Select({
  label,
  hint,
  error,
  hideLabel,
  className,
  inputClassName,
  children,
  ...input
}: FieldProps &
  Omit<ComponentProps<"select">, "id" | "className"> & { readonly inputClassName?: string | undefined; readonly children: ReactNode }) {
  return (
    <Field {...toFieldProps({ label, hint, error, hideLabel, className })}>
      {(control) => (
        <select {...input} {...control} className={cn(BOX, "pr-2", inputClassName)}>
          {children}
        </select>
      )}
    </Field>
  );
}

/** Removes undefined properties, because `exactOptionalPropertyTypes` distinguishes them from absent ones. */
function toFieldProps({
  label,
  ...rest
}: { readonly [Name in keyof FieldProps]: FieldProps[Name] | undefined } & { readonly label: string }): FieldProps {
  const defined = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { label, ...Object.fromEntries(defined) };
}
