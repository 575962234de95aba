import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { successSchema } from '../../../shared/contract/envelope.ts';
import { defineOperation, idParameter, jsonBody } from '../../../shared/contract/operation.ts';

describe('the types of operations', () => {
  it('come from what defines it', () => {
    const operation = defineOperation('x.boxes.close', 'POST', '/x/boxes/{id}/close', 'Boxes', {
      parameters: { id: idParameter('Id of the box') },
      body: jsonBody(() => z.object({ reason: z.string() })),
      answer: () => successSchema(z.object({ is_closed: z.boolean() })),
    });
    const id: 'x.boxes.close' = operation.id;
    const answer: boolean = operation.answer().shape.data.parse({ is_closed: true }).is_closed;
    expect([id, answer]).toEqual(['x.boxes.close', true]);
  });
});
