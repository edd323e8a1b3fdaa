"""The scripts that stewards run, as modules that run as they stand: `par_core.export.assembled` makes one file of what a plan needs.

They are written as their readers are to see them: without types, and each function for one way to do it. What a section under
`if made_for.…:` holds goes into a script only where that is so, and the values of a plan take the places of those that stand in
`plan_of_release` and `plan_of_answers`.
"""
