import { Fieldset, SimpleGrid, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Field } from '../../shared/contract/fields.ts';
import { memberLabel } from '../../shared/families/car-description.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';

export interface JsonInputProps {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  label: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
}

/**
 * Values without a control of their own. An object of texts, as a request takes it from its report, has a field for each. One that
 * says nothing but a text (`{"text": "…"}`) is typed as that text, where no text is taken as it stands; everything else is typed
 * as JSON, and what is no JSON yet stays for the check to name.
 */
export function JsonInput({ field, value, onChange, ...control }: JsonInputProps) {
  const takesText = field.schemas().input.safeParse('{}').success;
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  const isTyping = typed !== undefined && isSame(typed.value, value);
  if (!takesText && !isTyping && isOfTexts(value))
    return <TextMembers {...control} value={value} onChange={onChange} />;
  // What was typed is shown as it was typed, unless another value has come from elsewhere (a draft).
  const shown = isTyping ? typed.text : textOf(value, takesText);
  return (
    <Textarea
      {...control}
      autosize
      minRows={2}
      spellCheck={false}
      value={shown}
      onChange={event => {
        const text = event.currentTarget.value;
        const next = takesText ? text || null : objectOf(text);
        setTyped({ text, value: next });
        onChange(next);
      }}
    />
  );
}

type Texts = Record<string, string | null>;

/** Several members, each a text or nothing. */
function isOfTexts(value: unknown): value is Texts {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const members = Object.values(value);
  return members.length > 1 && members.every(one => one === null || typeof one === 'string');
}

function TextMembers(
  props: Omit<JsonInputProps, 'field' | 'value' | 'onChange'> & {
    value: Texts;
    onChange: (value: Texts) => void;
  },
) {
  const { label, error, value, onChange } = props;
  const texts = useFamilyTexts();
  return (
    <Fieldset legend={label} style={{ gridColumn: '1 / -1' }} mb="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {Object.entries(value).map(([name, text]) => (
          <Textarea
            key={name}
            label={texts.word(memberLabel(name))}
            autosize
            value={text ?? ''}
            onChange={event => onChange({ ...value, [name]: event.currentTarget.value || null })}
          />
        ))}
      </SimpleGrid>
      {error && (
        <Text c="red.9" size="sm">
          {error}
        </Text>
      )}
    </Fieldset>
  );
}

function textOf(value: unknown, takesText: boolean): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (!takesText && typeof value === 'object') {
    const members = Object.entries(value);
    if (members.length === 0) return '';
    const [[name, text] = ['', null]] = members;
    if (members.length === 1 && name === 'text' && typeof text === 'string') return text;
  }
  return JSON.stringify(value, null, 1);
}

function objectOf(text: string): unknown {
  if (text === '') return {};
  if (!text.trimStart().startsWith('{')) return { text };
  try {
    return JSON.parse(text);
  } catch {
    // Not all of it is typed yet.
    return text;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
