import type { Rule } from '../store/unit-of-work.ts';
import { accounts } from './accounts.ts';
import { adjusting, moving } from './adjusting.ts';
import { counting } from './counting.ts';
import { disposition } from './disposition.ts';
import { inspecting } from './inspecting.ts';
import { planning } from './inspection-plans.ts';
import { labVerdict } from './lab-verdict.ts';
import { accepting } from './measured-by.ts';
import { notingSettings, notingUsers } from './noting.ts';
import { openingStock } from './opening-stock.ts';
import { carOpening, complaintProgress, partUnits, revision } from './paperwork.ts';
import { placing } from './placing.ts';
import { receiving } from './receiving.ts';
import { shipping } from './shipping.ts';

/** The rules that families name. The write gate calls them for every change, whatever made it. */
export const rules: Readonly<Record<string, Rule>> = {
  accepting,
  accounts,
  adjusting,
  'car-opening': carOpening,
  'complaint-progress': complaintProgress,
  counting,
  disposition,
  inspecting,
  'lab-verdict': labVerdict,
  moving,
  'noting-settings': notingSettings,
  'noting-users': notingUsers,
  'opening-stock': openingStock,
  'part-units': partUnits,
  placing,
  planning,
  receiving,
  revision,
  shipping,
};
