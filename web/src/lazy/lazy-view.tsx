import { type ComponentType, useEffect } from "react";
import { cn } from "../ui/class-names.ts";
import { ErrorBoundary } from "../ui/states/error-boundary.tsx";
import { Loading } from "../ui/states/loading.tsx";
import { type LazyModule, useLazyModule } from "./lazy-module.ts";
import { LoadError, type Placement, PLACEMENT_CLASSES } from "./load-error.tsx";

export type LazyViewOptions = {
  /** What it shows, to begin a sentence with: "The tile". */
  readonly name: string;
  readonly placement: Placement;
};

export type LazyViewEvents = {
  readonly onClose?: () => void;
  /** The part could not be loaded, and says so in its place. */
  readonly onProblem?: () => unknown;
};

/**
 * The component of a part. It is drawn at once where it is loaded. `React.lazy` is not used: what it suspends is shown 300 ms after what
 * stood in for it at the earliest, and it never tries again. A failure stays in the part's own place.
 */
export function lazyView<Props extends object>(
  lazyModule: LazyModule<ComponentType<Props>>,
  { name, placement }: LazyViewOptions,
): ComponentType<Props & LazyViewEvents> {
  return function LazyView(props) {
    const state = useLazyModule(lazyModule);
    const { onProblem } = props;
    const hasFailed = state.status === "failed";
    useEffect(() => {
      if (hasFailed) onProblem?.();
    }, [hasFailed, onProblem]);
    const problem = { name, placement, onClose: props.onClose };
    if (state.status === "failed")
      return <LoadError {...problem} problem={state.problem} isRetrying={state.isRetrying} onRetry={() => void lazyModule.load()} />;
    if (state.status !== "ready") return placement === "card" ? null : <LoadingView name={name} placement={placement} />;
    const View = state.value;
    return (
      <ErrorBoundary renderProblem={(retry) => <LoadError {...problem} problem="crashed" isRetrying={false} onRetry={retry} />}>
        <View {...props} />
      </ErrorBoundary>
    );
  };
}

function LoadingView({ name, placement }: LazyViewOptions) {
  const loading = <Loading label={`${name} is loading`} />;
  return placement === "column" ? <div className={cn(PLACEMENT_CLASSES.column)}>{loading}</div> : placement === "page" ? loading : null;
}
