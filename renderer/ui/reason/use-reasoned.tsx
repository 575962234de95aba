import { type ReactNode, useState } from 'react';
import type { ChangedValue } from '../../../shared/contract/permission.ts';
import type { SignedChange } from '../../../shared/families/signatures-due.ts';
import { pathsInNeed, type Ruled, useJudge } from '../../api/may.ts';
import { ReasonForm } from '../reason-form.tsx';
import { isAboutReason, isAboutSigning } from './about-reason.ts';
import { reasonKindOf } from './reasons.ts';

/** A change by one press. */
export interface Press {
  family: Ruled;
  changes: readonly ChangedValue[];
  /** What is done, over the question and on its button. */
  title: string;
  /** Writes it; an empty reason: none was due. `signature`: what the write carries where it is signed. */
  send: (reason: string, signature: Record<string, string>) => Promise<unknown>;
  /** The same change, by which it is found whether it is signed. */
  signs?: SignedChange;
}

/**
 * For what a button changes at once: where the change needs a reason, the question for it opens instead, in the place that
 * the screen has for it, also once the server asks.
 */
export function useReasoned(): { press: (press: Press) => Promise<void>; question: ReactNode } {
  const judge = useJudge();
  const [asked, setAsked] = useState<Press | null>(null);
  const press = async (pressed: Press) => {
    setAsked(null);
    if (pathsInNeed(judge(pressed.family, pressed.changes)).length > 0) return setAsked(pressed);
    try {
      await pressed.send('', {});
    } catch (error) {
      if (!isAboutReason(error) && !isAboutSigning(error)) throw error;
      setAsked(pressed);
    }
  };
  const question = asked && (
    <ReasonForm
      key={asked.title}
      title={asked.title}
      kind={reasonKindOf(asked.changes.map(({ path }) => path))}
      {...(asked.signs && { signs: asked.signs })}
      onSubmit={asked.send}
      onClose={() => setAsked(null)}
    />
  );
  return { press, question };
}
