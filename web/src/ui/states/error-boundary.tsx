import { Component, type ReactNode } from "react";
import { Button } from "../controls/button.tsx";

type Props = {
  readonly children: ReactNode;
  /** A change resets the error, such as a new URL. */
  readonly resetKey?: string;
  /** Rendered instead of the children; `retry` renders them again. */
  readonly renderProblem?: (retry: () => void) => ReactNode;
};

/** Shows a message instead of children that threw while rendering. Only a class component can catch such errors. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { children, renderProblem } = this.props;
    if (this.state.error === null) return children;
    if (renderProblem !== undefined) return renderProblem(() => this.setState({ error: null }));
    return (
      <main role="alert" className="mx-auto flex max-w-md flex-col items-start gap-4 px-6 py-20">
        <h1 className="text-xl font-semibold">Something went wrong</h1>
        <p className="text-quiet">
          Your boards are not affected. Reload the page. If the error occurs again, tell the operator what you did.
        </p>
        <Button variant="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </main>
    );
  }
}
