import { germanLotLocks } from '../../../shared/families/lot-locks.ts';
import type { Texts } from '../i18n.ts';
import { choiceTexts, germanChoices } from './choice-texts.ts';
import { germanTitles } from './german-titles.ts';
import { germanHints, hintTexts } from './hint-texts.ts';
import { germanLabels, labelTexts } from './label-texts.ts';

/**
 * Names of families, fields and choices, and what is said below a field. The keys are the English ones of the contract in
 * `shared/families`; English has a text only where the contract's word is one for programs.
 */
export const texts: Texts = {
  en: { ...labelTexts, ...choiceTexts.en, ...hintTexts },
  de: {
    ...germanTitles,
    ...germanLotLocks,
    ...germanLabels,
    ...choiceTexts.de,
    ...germanChoices,
    ...germanHints,
  },
};
