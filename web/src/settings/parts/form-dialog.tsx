import { type ReactNode, type RefObject, useId } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { Form, type FormState } from "./form.tsx";

type FormDialogProps = {
  readonly form: FormState;
  readonly title: string;
  readonly description?: string;
  /** The label of the button that submits. */
  readonly action: string;
  /** The field that gets the focus. */
  readonly first: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A dialog with a form. It does not close by a click outside, which would lose what was typed. */
export function FormDialog({ form, title, description, action, first, onClose, children }: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      closesOutside={false}
      initialFocus={first}
      title={title}
      {...(description === undefined ? {} : { description })}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id} isBusy={form.isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Form form={form} id={id}>
        {children}
      </Form>
    </Dialog>
  );
}
