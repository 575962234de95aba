import fc from 'fast-check';

/** The same cases in every run, so that a run that fails can be repeated; `HOLDPOINT_TEST_SEED` gives other ones. */
fc.configureGlobal({ seed: Number(process.env.HOLDPOINT_TEST_SEED ?? 20_260_131) });

export default fc;
