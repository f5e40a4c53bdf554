const SHORTEST_MS = 400;
const LONGEST_MS = 5_000;
const SHARE = 0.1; // a pause grows with the time waited, so a wait is at most a tenth too long

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The pauses between looks, until patience ends. */
export class Pauses {
  #waited = 0;

  constructor(
    readonly patience: number,
    readonly sleep: (milliseconds: number) => Promise<void> = pause,
  ) {}

  /** Waits a while; false where patience has ended. */
  async next(): Promise<boolean> {
    if (this.#waited >= this.patience) return false;
    const length = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, SHARE * this.#waited));
    await this.sleep(length);
    this.#waited += length;
    return true;
  }
}
