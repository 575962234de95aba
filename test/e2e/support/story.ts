/** Steps that each go on where the one before has ended: they are told as one test, which a second try begins anew. */
export function story() {
  const steps: [does: string, work: () => Promise<void>][] = [];
  return {
    step: (does: string, work: () => Promise<void>) => void steps.push([does, work]),
    async tell(): Promise<void> {
      for (const [does, work] of steps) {
        await work().catch((cause: unknown) => {
          throw new Error(`Failed in what ${does}.`, { cause });
        });
      }
    },
  };
}
