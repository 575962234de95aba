import { z } from 'zod';

/** What a request carries to sign the acts in it (interface decisions, 3); additive wherever the document has no such names. */
export const signatureInput = {
  esignature_password: z.string().nullable().optional().meta({
    description:
      "Password of the signed-in user. Needed only where the site's settings want it signed; never kept.",
    'x-extension': true,
  }),
  esignature_reason: z.string().nullable().optional().meta({
    description: 'Reason for the signature. Needed only where the settings ask for it.',
    'x-extension': true,
  }),
};
