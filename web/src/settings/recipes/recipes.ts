import { makeRecipe } from "./make.ts";
import { n8nRecipe } from "./n8n.ts";
import { nodeRecipe } from "./node.ts";
import { nodeRedRecipe } from "./node-red.ts";
import { phpRecipe } from "./php.ts";
import { pythonRecipe } from "./python.ts";
import type { RecipeContext, Recipe } from "./recipe.ts";
import { zapierRecipe } from "./zapier.ts";

const RECIPES = [n8nRecipe, nodeRedRecipe, makeRecipe, zapierRecipe, nodeRecipe, pythonRecipe, phpRecipe];

export const buildRecipes = (context: RecipeContext): readonly Recipe[] => RECIPES.map((build) => build(context));
