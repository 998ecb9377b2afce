import type { Constant } from "./constants.ts";

export type Half = "training" | "held out";

/** The result of fitting one constant; `outcome` says whether the new value was accepted, and why not. */
export type Fit = {
  readonly name: string;
  readonly current: number;
  readonly fitted: number;
  readonly training: readonly [before: number, after: number];
  readonly heldOut: readonly [before: number, after: number];
  readonly outcome: "accepted" | "no gain" | "worse on held-out data";
};

export type DescentOptions = {
  /** Values to try for a constant, besides its current one. */
  readonly listValues: (name: string, value: number) => readonly number[];
  /** Quality on one half of the questions with the current constants; higher is better, and it must be deterministic. */
  readonly measure: (name: string, half: Half) => Promise<number>;
  /** Rounds over all constants; it ends early when a round changes nothing. */
  readonly rounds: number;
  /** Smaller gains on the training half count as noise. */
  readonly minGain: number;
  /** Checked before each measurement; constants that were not reached keep their values. */
  readonly isTimeUp: () => boolean;
};

/**
 * Coordinate descent: for one constant after the other, tries the values of a grid around it on the training half and takes the
 * best, provided that it does no harm on the held-out half. Leaves each constant at its fitted value.
 */
export async function fitConstants(constants: readonly Constant[], options: DescentOptions): Promise<Fit[]> {
  const fits = new Map<string, Fit>();
  for (let round = 0; round < options.rounds; round++) {
    let isChanged = false;
    for (const constant of constants) {
      if (options.isTimeUp()) return [...fits.values()];
      const fit = await fitConstant(constant, options);
      if (fit.outcome === "accepted") isChanged = true;
      fits.set(constant.name, joinFits(fits.get(constant.name), fit));
    }
    if (!isChanged) break;
  }
  return [...fits.values()];
}

async function fitConstant(constant: Constant, { listValues, measure, minGain, isTimeUp }: DescentOptions): Promise<Fit> {
  const { name } = constant;
  const current = constant.get();
  const trainingBefore = await measure(name, "training");
  const heldOutBefore = await measure(name, "held out");
  let best = { value: current, quality: trainingBefore };
  for (const value of listValues(name, current)) {
    if (isTimeUp()) break;
    constant.set(value);
    const quality = await measure(name, "training");
    if (quality > best.quality) best = { value, quality };
  }
  const isGain = best.quality >= trainingBefore + minGain;
  constant.set(isGain ? best.value : current);
  const heldOutAfter = isGain ? await measure(name, "held out") : heldOutBefore;
  const isHarmful = heldOutAfter < heldOutBefore;
  if (isHarmful) constant.set(current);
  return {
    name,
    current,
    fitted: best.value,
    training: [trainingBefore, best.quality],
    heldOut: [heldOutBefore, heldOutAfter],
    outcome: isHarmful ? "worse on held-out data" : isGain ? "accepted" : "no gain",
  };
}

/** A constant that was changed in an earlier round stays changed. */
function joinFits(earlier: Fit | undefined, later: Fit): Fit {
  if (earlier?.outcome !== "accepted") return later;
  if (later.outcome !== "accepted") return earlier;
  return {
    ...later,
    current: earlier.current,
    training: [earlier.training[0], later.training[1]],
    heldOut: [earlier.heldOut[0], later.heldOut[1]],
  };
}
