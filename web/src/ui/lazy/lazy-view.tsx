import { type ComponentType, useEffect } from "react";
import { cn } from "../class-names.ts";
import { ErrorBoundary } from "../states/error-boundary.tsx";
import { Loading } from "../states/loading.tsx";
import { type LazyModule, useLazyModule } from "./lazy-module.ts";
import { LoadError, type ErrorPlacement, PLACEMENT_CLASSES } from "./load-error.tsx";

export type LazyViewOptions = {
  /** The subject of a sentence, such as "The tile". */
  readonly name: string;
  readonly placement: ErrorPlacement;
};

export type LazyViewEvents = {
  readonly onClose?: () => void;
  /** Called when the module could not be loaded; the error is shown in its place. */
  readonly onProblem?: () => unknown;
};

/**
 * The component of a lazy module, rendered synchronously if loaded. `React.lazy` is not used: Suspense delays content by up to 300 ms
 * after a fallback, and a failed import is never retried. Errors stay within this component.
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
