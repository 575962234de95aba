/**
 * Of all bundles that Node runs. One character beyond ASCII makes it hold a file's text in two bytes a character, to be read at
 * each start, and of comments only those of licences are worth that.
 */
export const bundleOutput = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  charset: 'ascii',
  comments: { jsdoc: false, annotation: false },
} as const;
