import { buildStaleScreens } from '../../build/fresh-screens.ts';

/** Before all tests: servers that tests start serve the screens as they are now. */
export async function setup(): Promise<void> {
  await buildStaleScreens();
}
