import { Alert, Text } from '@mantine/core';
import { useWordLeft } from './word-left.ts';

/** What something that changed the session or its screen had to say, until somebody signs in. */
export function WordLeftNotice() {
  const word = useWordLeft();
  if (!word) return null;
  return (
    <Alert color="green" variant="light" title={word.title} role="status">
      <Text className="typed">{word.text}</Text>
    </Alert>
  );
}
