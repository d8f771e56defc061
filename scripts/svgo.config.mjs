// How the deck is squeezed: nothing that moves a pip or drops a viewBox.
export default {
  multipass: true,
  floatPrecision: 2,
  plugins: [
    { name: "preset-default", params: { overrides: { cleanupIds: { minify: true } } } },
  ],
};
