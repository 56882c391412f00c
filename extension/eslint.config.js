import js from "@eslint/js";
import globals from "globals";
import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: ["dist", "dist-firefox", "src/engine/contract.ts", "src/engine/edge/contract.ts", "tests/pages"],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/no-non-null-assertion": "error",
    },
  },
  {
    // What a page says must never become markup or code.
    files: ["src/**/*.ts"],
    rules: {
      "no-eval": "error",
      // The classes of marks that stand alone are meant.
      "no-misleading-character-class": "off",
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "data never becomes markup" },
        { property: "outerHTML", message: "data never becomes markup" },
        { property: "insertAdjacentHTML", message: "data never becomes markup" },
        { object: "document", property: "write", message: "data never becomes markup" },
      ],
    },
  },
  { files: ["**/*.mjs", "*.config.js"], languageOptions: { globals: globals.node } },
);
