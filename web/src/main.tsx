import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./theme.css";
import { applyTheme, getStoredTheme } from "./ui/theme.ts";

applyTheme(getStoredTheme());
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
